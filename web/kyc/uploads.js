/** Uploads a photo as soon as it is chosen. It shrinks the photo first and shows the progress and a preview. */
import { showFault } from './faults.js';
import { clearMessage, showPage, texts } from './page.js';
import { shrinkPhoto } from './pictures.js';

/** @param {() => void} startPage */
export function uploadOnChange(startPage) {
  document.addEventListener('change', (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || input.type !== 'file') return;
    const field = input.closest('.field');
    const file = input.files?.[0];
    if (!(field instanceof HTMLElement) || !file || !input.form) return;
    upload(input.form, field, input, file, startPage).catch(() => {
      endUploading(field);
      statusArea(field).replaceChildren();
      showFault(field, texts().interrupted);
    });
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} field
 * @param {HTMLInputElement} input
 * @param {File} file
 * @param {() => void} startPage
 */
async function upload(form, field, input, file, startPage) {
  field.setAttribute('data-uploading', '');
  showFault(field, undefined);
  const progress = showProgress(field);
  progress.update(texts().preparing);
  const picture = await shrinkPhoto(file);
  const { largestBytes = '0', tooLarge = '' } = statusArea(field).dataset;
  const result =
    picture.size > Number(largestBytes)
      ? { fault: tooLarge }
      : await post(form.action, input.name, picture, (percent) => progress.update(progressText(percent), percent));
  endUploading(field);
  // The file has arrived, so the form must not send it again.
  input.value = '';
  statusArea(field).replaceChildren();
  if (result.page) {
    showPage(result.page);
    startPage();
  } else if (result.fault) showFault(field, result.fault);
  else showReceived(field, result.received ?? texts().sent, picture);
}

/** Removes the message to wait for uploads when the last one has ended. @param {HTMLElement} field */
function endUploading(field) {
  field.removeAttribute('data-uploading');
  if (!document.querySelector('[data-uploading]')) clearMessage();
}

/** @param {number} percent */
function progressText(percent) {
  return percent < 100 ? texts().sending.replace('#', String(percent)) : texts().checking;
}

/**
 * Uses XMLHttpRequest, because `fetch` does not report how much has been sent.
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
function statusArea(field) {
  return /** @type {HTMLElement} */ (field.querySelector('[data-received]'));
}

/** @param {HTMLElement} field */
function showProgress(field) {
  const line = document.createElement('p');
  line.className = 'working';
  const text = document.createElement('span');
  text.setAttribute('role', 'status');
  const bar = document.createElement('progress');
  bar.max = 100;
  bar.setAttribute('aria-hidden', 'true');
  line.append(text, bar);
  statusArea(field).replaceChildren(line);
  return {
    /** @param {string} message @param {number} [percent] */
    update(message, percent) {
      text.textContent = message;
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
  statusArea(field).replaceChildren(line);
  if (!picture.type.startsWith('image/')) return;
  const image = document.createElement('img');
  image.alt = texts().preview;
  image.addEventListener('load', () => URL.revokeObjectURL(image.src));
  image.addEventListener('error', () => image.remove());
  image.src = URL.createObjectURL(picture);
  line.before(image);
}
