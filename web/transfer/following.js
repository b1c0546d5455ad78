/** Shows the page again when the transfer has changed: told by the server, or else asked for now and then. */
import { announce } from './copying.js';

const askEveryMs = 15_000;

/** @param {() => void} startPage */
export function followTransfer(startPage) {
  const { follow, told } = document.body.dataset;
  if (!follow) return;
  if (!told) return askNowAndThen(undefined, startPage);
  const source = new EventSource(`${follow}/live`);
  source.addEventListener('message', ({ data }) => {
    if (data !== document.body.dataset.version) void showAgain(source, startPage);
  });
  source.addEventListener('error', () => {
    // Otherwise the browser connects again by itself.
    if (source.readyState === EventSource.CLOSED) askNowAndThen(source, startPage);
  });
}

/**
 * @param {EventSource | undefined} source
 * @param {() => void} startPage
 */
function askNowAndThen(source, startPage) {
  const timer = setInterval(() => {
    if (!document.body.dataset.follow) return clearInterval(timer);
    if (!document.hidden) void showAgain(source, startPage);
  }, askEveryMs);
}

/**
 * @param {EventSource | undefined} source
 * @param {() => void} startPage
 */
async function showAgain(source, startPage) {
  const address = new URL(location.href);
  address.searchParams.delete('changed');
  address.searchParams.set('seen', document.body.dataset.version ?? '');
  const answer = await fetch(address).catch(() => undefined);
  // Unchanged, or the server is busy: the page stays as it is.
  if (!answer || answer.status === 204 || answer.status === 429 || answer.status >= 500) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (isBeingFilledIn()) return offerNewPage();
  showPage(page);
  if (!document.body.dataset.follow) source?.close();
  startPage();
}

/** @param {Document} page */
function showPage(page) {
  const [main, next] = [document.querySelector('main'), page.querySelector('main')];
  if (!main || !next) return;
  const hadFocus = main.contains(document.activeElement);
  for (const name of ['version', 'follow']) {
    const value = page.body.dataset[name];
    if (value === undefined) delete document.body.dataset[name];
    else document.body.dataset[name] = value;
  }
  document.title = page.title;
  main.replaceChildren(...next.childNodes);
  if (hadFocus) main.focus();
  announce(document.body.dataset.updated ?? '');
}

/** What a person has entered is not thrown away. */
function isBeingFilledIn() {
  const fields = document.querySelectorAll('main input, main textarea, main select');
  return [...fields].some((field) => {
    if (field instanceof HTMLSelectElement)
      return [...field.options].some((option) => option.selected !== option.defaultSelected);
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
    if (!(field instanceof HTMLInputElement)) return false;
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  });
}

function offerNewPage() {
  const main = document.querySelector('main');
  if (!main || main.querySelector('[data-newer]')) return;
  const note = document.createElement('p');
  note.className = 'note attention';
  note.setAttribute('role', 'status');
  note.setAttribute('data-newer', '');
  const link = document.createElement('a');
  link.href = document.body.dataset.follow ?? '';
  link.textContent = document.body.dataset.newer ?? '';
  note.append(link);
  main.prepend(note);
}
