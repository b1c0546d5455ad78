/** Another language, with what was already typed still there. */
import { showPage } from './page.js';

/** @param {() => void} begin */
export function keepInputWhenLanguageChanges(begin) {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-language]') : null;
    const form = document.querySelector('form[data-form]');
    if (!(link instanceof HTMLAnchorElement) || !(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    change(link.href, form, begin).catch(() => location.assign(link.href));
  });
}

/**
 * @param {string} address
 * @param {HTMLFormElement} form
 * @param {() => void} begin
 */
async function change(address, form, begin) {
  const typed = [...new FormData(form)];
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  showPage(await answer.text());
  history.replaceState(null, '', address);
  const next = document.querySelector('form[data-form]');
  if (next instanceof HTMLFormElement) fillIn(next, typed);
  begin();
}

/**
 * @param {HTMLFormElement} form
 * @param {[string, FormDataEntryValue][]} typed
 */
function fillIn(form, typed) {
  for (const [name, value] of typed) {
    if (typeof value !== 'string') continue;
    for (const control of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (
        !(control instanceof HTMLInputElement) &&
        !(control instanceof HTMLSelectElement) &&
        !(control instanceof HTMLTextAreaElement)
      )
        continue;
      if (control instanceof HTMLInputElement && /radio|checkbox/.test(control.type)) {
        control.checked = control.value === value;
      } else control.value = value;
    }
  }
}
