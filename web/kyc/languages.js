/** Changes the language and keeps what the user has typed. */
import { showPage } from './page.js';

/** @param {() => void} startPage */
export function keepInputWhenLanguageChanges(startPage) {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-language]') : null;
    const form = document.querySelector('form[data-form]');
    if (!(link instanceof HTMLAnchorElement) || !(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    changeLanguage(link.href, form, startPage).catch(() => location.assign(link.href));
  });
}

/**
 * @param {string} address
 * @param {HTMLFormElement} form
 * @param {() => void} startPage
 */
async function changeLanguage(address, form, startPage) {
  const entries = [...new FormData(form)];
  const response = await fetch(address);
  if (!response.ok) throw new Error(String(response.status));
  showPage(await response.text());
  history.replaceState(null, '', address);
  const translatedForm = document.querySelector('form[data-form]');
  if (translatedForm instanceof HTMLFormElement) fillIn(translatedForm, entries);
  startPage();
}

/**
 * @param {HTMLFormElement} form
 * @param {[string, FormDataEntryValue][]} entries
 */
function fillIn(form, entries) {
  for (const [name, value] of entries) {
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
