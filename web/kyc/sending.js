/** Posts a step without leaving its page, so that a lost connection loses nothing that was typed. */
import { say, sayNothing, showPage, words } from './page.js';

/** @param {() => void} begin */
export function sendWithoutLeaving(begin) {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('[data-form]')) return;
    event.preventDefault();
    if ('busy' in form.dataset) return;
    if (document.querySelector('[data-uploading]')) return say(words().waitForIt);
    sayNothing();
    setBusy(form, true);
    send(form, begin).catch(() => {
      setBusy(form, false);
      say(words().offline);
    });
  });
  // Who comes back with the button of the browser finds the page as it was left.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-busy]')) setBusy(form, false);
  });
}

/**
 * @param {HTMLFormElement} form
 * @param {() => void} begin
 */
async function send(form, begin) {
  const fields = [...new FormData(form)].filter(([, value]) => typeof value === 'string');
  const body = new URLSearchParams(/** @type {[string, string][]} */ (fields));
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'application/json' } });
  const { location: next, page } = await answer.json();
  if (next) return location.assign(new URL(next, form.action));
  showPage(page);
  begin();
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
