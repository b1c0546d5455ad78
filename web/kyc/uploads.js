/** Sends a photo as soon as it is chosen: made smaller first, with its progress, and with a picture of what was chosen. */
import { showFault } from './faults.js';
import { sayNothing, showPage, words } from './page.js';
import { smaller } from './pictures.js';

/** @param {() => void} begin */
export function sendFilesAhead(begin) {
  document.addEventListener('change', (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || input.type !== 'file') return;
    const field = input.closest('.field');
    const file = input.files?.[0];
    if (!(field instanceof HTMLElement) || !file || !input.form) return;
    upload(input.form, field, input, file, begin).catch(() => {
      endUploading(field);
      place(field).replaceChildren();
      showFault(field, words().interrupted);
    });
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} field
 * @param {HTMLInputElement} input
 * @param {File} file
 * @param {() => void} begin
 */
async function upload(form, field, input, file, begin) {
  field.setAttribute('data-uploading', '');
  showFault(field, undefined);
  const working = showWorking(field);
  working.tell(words().preparing);
  const picture = await smaller(file);
  const { largestBytes = '0', tooLarge = '' } = place(field).dataset;
  const answer =
    picture.size > Number(largestBytes)
      ? { fault: tooLarge }
      : await post(form.action, input.name, picture, (percent) => working.tell(textOf(percent), percent));
  endUploading(field);
  // It has arrived: the form must not carry it a second time.
  input.value = '';
  place(field).replaceChildren();
  if (answer.page) {
    showPage(answer.page);
    begin();
  } else if (answer.fault) showFault(field, answer.fault);
  else showReceived(field, answer.received ?? words().sent, picture);
}

/** Whoever was told to wait for the files need not wait any more. @param {HTMLElement} field */
function endUploading(field) {
  field.removeAttribute('data-uploading');
  if (!document.querySelector('[data-uploading]')) sayNothing();
}

/** @param {number} percent */
function textOf(percent) {
  return percent < 100 ? words().sending.replace('#', String(percent)) : words().checking;
}

/**
 * Not `fetch`, which does not tell how much has been sent.
 * @param {string} address
 * @param {string} name
 * @param {Blob} picture
 * @param {(percent: number) => void} onProgress
 * @returns {Promise<{ received?: string, fault?: string, page?: string }>}
 */
function post(address, name, picture, onProgress) {
  const body = new FormData();
  body.append('upload', 'alone');
  body.append(name, picture, 'file');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? Math.min(100, Math.round((loaded / total) * 100)) : 100),
    );
    request.addEventListener('load', () => {
      try {
        resolve(JSON.parse(request.responseText));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener('error', reject);
    request.addEventListener('abort', reject);
    request.send(body);
  });
}

/** @param {HTMLElement} field @returns {HTMLElement} */
function place(field) {
  return /** @type {HTMLElement} */ (field.querySelector('[data-received]'));
}

/** @param {HTMLElement} field */
function showWorking(field) {
  const line = document.createElement('p');
  line.className = 'working';
  const text = document.createElement('span');
  text.setAttribute('role', 'status');
  const bar = document.createElement('progress');
  bar.max = 100;
  bar.setAttribute('aria-hidden', 'true');
  line.append(text, bar);
  place(field).replaceChildren(line);
  return {
    /** @param {string} what @param {number} [percent] */
    tell(what, percent) {
      text.textContent = what;
      if (percent !== undefined) bar.value = percent;
    },
  };
}

/**
 * @param {HTMLElement} field
 * @param {string} received
 * @param {Blob} picture
 */
function showReceived(field, received, picture) {
  const line = document.createElement('p');
  line.setAttribute('role', 'status');
  line.textContent = received;
  place(field).replaceChildren(line);
  if (!picture.type.startsWith('image/')) return;
  const image = document.createElement('img');
  image.alt = words().preview;
  image.addEventListener('load', () => URL.revokeObjectURL(image.src));
  image.addEventListener('error', () => image.remove());
  image.src = URL.createObjectURL(picture);
  line.before(image);
}
