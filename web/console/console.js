// What the console does better with a script. Everything works without one.
import { makeCopyable } from './copying.js';
import { listenToKeys } from './keys.js';
import { addLocalTimes } from './times.js';
import { showDocuments } from './viewer.js';

listenToKeys();
addLocalTimes();
makeCopyable();
showDocuments();

/**
 * @param {ParentNode} place
 * @param {boolean} isDisabled
 */
function disableButtons(place, isDisabled) {
  for (const button of place.querySelectorAll('button')) button.disabled = isDisabled;
}

// A form that was sent is not sent again by a second click.
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', () => setTimeout(() => disableButtons(form, true)));
}
// A page that comes back from the history can be sent again.
addEventListener('pageshow', () => disableButtons(document, false));
