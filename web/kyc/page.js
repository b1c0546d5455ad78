/** The texts of the page, messages on it, and its replacement by another page. */

/**
 * @typedef {{ preparing: string, sending: string, checking: string, sent: string, preview: string, interrupted: string,
 *   waitForIt: string, problem: string, offline: string, timeHeading: string, extend: string, extended: string,
 *   atEnd: string, over: string, minutes: string[] }} Texts
 */

/** The texts that scripts show, in the language of the page. @returns {Texts} */
export function texts() {
  return JSON.parse(document.body.dataset.words ?? '{}');
}

/**
 * Replaces the page without a navigation: with the answer to a submitted form, or with the page in another language.
 * @param {string} html
 */
export function showPage(html) {
  const newPage = new DOMParser().parseFromString(html, 'text/html');
  document.title = newPage.title;
  document.documentElement.lang = newPage.documentElement.lang;
  document.documentElement.dir = newPage.documentElement.dir;
  document.body.replaceWith(document.adoptNode(newPage.body));
  scrollTo(0, 0);
  const toFocus = document.querySelector('.summary') ?? document.querySelector('main');
  if (toFocus instanceof HTMLElement) toFocus.focus();
}

/**
 * Shows a message above the buttons. Screen readers read it at once.
 * @param {string} text
 */
export function showMessage(text) {
  const existing = document.querySelector('[data-message]');
  const message = existing ?? document.createElement('div');
  message.className = 'note attention';
  message.setAttribute('role', 'alert');
  message.setAttribute('data-message', '');
  message.textContent = text;
  if (!existing) document.querySelector('form[data-form] .actions')?.before(message);
}

export function clearMessage() {
  document.querySelector('[data-message]')?.remove();
}
