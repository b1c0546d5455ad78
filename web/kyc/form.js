/** Makes the pages of the form faster and safer to use on a phone. Every page also works without it. */
import { checkFieldsOnLeave } from './checks.js';
import { applyConditions, watchConditions } from './conditions.js';
import { keepInputWhenLanguageChanges } from './languages.js';
import { submitInPlace } from './submit.js';
import { watchTimeLimit } from './time-limit.js';
import { uploadOnChange } from './uploads.js';

document.documentElement.classList.add('scripted');

checkFieldsOnLeave();
watchConditions();
keepInputWhenLanguageChanges(startPage);
submitInPlace(startPage);
uploadOnChange(startPage);
startPage();

/** Runs for every page, also for one that replaced another without a navigation. */
function startPage() {
  applyConditions();
  watchTimeLimit(startPage);
}
