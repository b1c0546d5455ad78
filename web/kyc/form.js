/** Makes the pages of the form quicker and safer to use on a phone. Every page works without it. */
import { checkWhatIsLeft } from './checks.js';
import { applyConditions, watchConditions } from './conditions.js';
import { keepInputWhenLanguageChanges } from './languages.js';
import { sendWithoutLeaving } from './sending.js';
import { watchTime } from './time-limit.js';
import { sendFilesAhead } from './uploads.js';

document.documentElement.classList.add('scripted');

checkWhatIsLeft();
watchConditions();
keepInputWhenLanguageChanges(begin);
sendWithoutLeaving(begin);
sendFilesAhead(begin);
begin();

/** For each page, also for one that was put in the place of another. */
function begin() {
  applyConditions();
  watchTime(begin);
}
