/** Warns five minutes before the time for a page ends, and extends it at one click. */
import { showPage, texts } from './page.js';

const warnBeforeMs = 5 * 60_000;
const updateEveryMs = 5_000;

/** @type {ReturnType<typeof setInterval> | undefined} */
let updateTimer;
/** Shows or hides the banner, depending on the remaining time. */
let updateBanner = () => {};
// Timers do not run while a phone sleeps.
document.addEventListener('visibilitychange', () => updateBanner());

/** @param {() => void} startPage */
export function watchTimeLimit(startPage) {
  clearInterval(updateTimer);
  updateBanner = () => {};
  const { expiresIn, extendAt } = document.body.dataset;
  if (expiresIn === undefined || extendAt === undefined) return;
  let endsAtMs = Date.now() + Number(expiresIn) * 1000;
  const banner = createBanner();
  banner.button.addEventListener('click', () => {
    extendTime(extendAt, startPage).then(
      (seconds) => {
        if (seconds === undefined) return;
        endsAtMs = Date.now() + seconds * 1000;
        updateBanner();
        banner.report(endsAtMs - Date.now() > warnBeforeMs ? texts().extended : texts().atEnd);
      },
      () => banner.report(texts().offline),
    );
  });
  updateBanner = () => {
    const remainingMs = endsAtMs - Date.now();
    if (remainingMs > warnBeforeMs) return banner.hide();
    if (remainingMs > 0) return banner.warn(minutesText(remainingMs));
    clearInterval(updateTimer);
    banner.end(texts().over);
  };
  updateTimer = setInterval(updateBanner, updateEveryMs);
  updateBanner();
}

/** @param {number} remainingMs */
function minutesText(remainingMs) {
  return texts().minutes[Math.min(5, Math.ceil(remainingMs / 60_000)) - 1] ?? '';
}

/**
 * Returns the new time in seconds, or undefined when the page was replaced by one that explains why it cannot be
 * extended.
 * @param {string} address
 * @param {() => void} startPage
 * @returns {Promise<number | undefined>}
 */
async function extendTime(address, startPage) {
  const response = await fetch(address, { method: 'POST', headers: { accept: 'application/json' } });
  const { expiresInSeconds, page } = await response.json();
  if (typeof expiresInSeconds === 'number') return expiresInSeconds;
  showPage(page);
  startPage();
  return undefined;
}

function createBanner() {
  const box = document.createElement('div');
  box.className = 'timer';
  box.hidden = true;
  const heading = document.createElement('h2');
  heading.textContent = texts().timeHeading;
  const text = document.createElement('p');
  text.setAttribute('role', 'alert');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'main';
  button.textContent = texts().extend;
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  box.append(heading, text, button);
  document.querySelector('main')?.append(box, status);
  const show = (/** @type {string} */ message) => {
    box.hidden = false;
    if (text.textContent !== message) text.textContent = message;
  };
  return {
    button,
    warn: show,
    hide: () => {
      box.hidden = true;
    },
    report: (/** @type {string} */ message) => {
      status.textContent = message;
    },
    end: (/** @type {string} */ message) => {
      button.remove();
      status.textContent = '';
      show(message);
    },
  };
}
