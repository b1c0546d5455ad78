/** The page as a whole: its words, and another one in its place. */

/**
 * @typedef {{ preparing: string, sending: string, checking: string, sent: string, preview: string, interrupted: string,
 *   waitForIt: string, problem: string, offline: string, timeHeading: string, extend: string, extended: string,
 *   atEnd: string, over: string, minutes: string[] }} Words
 */

/** What scripts say, in the language of the page. @returns {Words} */
export function words() {
  return JSON.parse(document.body.dataset.words ?? '{}');
}

/**
 * Shows another page without loading it: the one that a post was answered with, or this one in another language.
 * @param {string} html
 */
export function showPage(html) {
  const next = new DOMParser().parseFromString(html, 'text/html');
  document.title = next.title;
  document.documentElement.lang = next.documentElement.lang;
  document.documentElement.dir = next.documentElement.dir;
  document.body.replaceWith(document.adoptNode(next.body));
  scrollTo(0, 0);
  const summary = document.querySelector('.summary');
  const first = summary ?? document.querySelector('main');
  if (first instanceof HTMLElement) first.focus();
}

/**
 * A message over the page's content that is read out at once.
 * @param {string} text
 */
export function say(text) {
  const known = document.querySelector('[data-said]');
  const note = known ?? document.createElement('div');
  note.className = 'note attention';
  note.setAttribute('role', 'alert');
  note.setAttribute('data-said', '');
  note.textContent = text;
  if (!known) document.querySelector('form[data-form] .actions')?.before(note);
}

export function sayNothing() {
  document.querySelector('[data-said]')?.remove();
}
