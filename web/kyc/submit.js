/** Submits a step without leaving its page, so that nothing typed is lost when the connection fails. */
import { clearMessage, showMessage, showPage, texts } from './page.js';

/** @param {() => void} startPage */
export function submitInPlace(startPage) {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('[data-form]')) return;
    event.preventDefault();
    if ('busy' in form.dataset) return;
    if (document.querySelector('[data-uploading]')) return showMessage(texts().waitForIt);
    clearMessage();
    setBusy(form, true);
    submit(form, startPage).catch(() => {
      setBusy(form, false);
      showMessage(texts().offline);
    });
  });
  // The browser's back button may show the page in the state in which it was left.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-busy]')) setBusy(form, false);
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {() => void} startPage
 */
async function submit(form, startPage) {
  const fields = [...new FormData(form)].filter(([, value]) => typeof value === 'string');
  const body = new URLSearchParams(/** @type {[string, string][]} */ (fields));
  const response = await fetch(form.action, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
  });
  const { location: nextPage, page } = await response.json();
  if (nextPage) return location.assign(new URL(nextPage, form.action));
  showPage(page);
  startPage();
}

/**
 * @param {Element} form
 * @param {boolean} isBusy
 */
function setBusy(form, isBusy) {
  form.toggleAttribute('data-busy', isBusy);
  const button = form.querySelector('button.main');
  if (isBusy) button?.setAttribute('aria-disabled', 'true');
  else button?.removeAttribute('aria-disabled');
}
