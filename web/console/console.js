// What the console does better with a script. Everything works without one.
import { makeCopyable } from './copying.js';
import { listenToKeys } from './keys.js';
import { addLocalTimes } from './times.js';

listenToKeys();
addLocalTimes();
makeCopyable();
// A form that was sent is not sent again by a second click.
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', () => {
    setTimeout(() => {
      for (const button of form.querySelectorAll('button')) button.disabled = true;
    });
  });
}
// A page that comes back from the history can be sent again.
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('button:disabled')) button.disabled = false;
});
