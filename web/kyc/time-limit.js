/** Warns five minutes before the time for a page runs out, and gets more of it at one click. */
import { showPage, words } from './page.js';

const warnMs = 5 * 60_000;
const lookEveryMs = 5_000;

/** @type {ReturnType<typeof setInterval> | undefined} */
let looking;
/** How long this page still has. */
let look = () => {};
// A phone that slept wakes up to the time that it is, not to the time it had counted.
document.addEventListener('visibilitychange', () => look());

/** @param {() => void} begin */
export function watchTime(begin) {
  clearInterval(looking);
  look = () => {};
  const { expiresIn, extendAt } = document.body.dataset;
  if (expiresIn === undefined || extendAt === undefined) return;
  let endsAtMs = Date.now() + Number(expiresIn) * 1000;
  const banner = makeBanner();
  banner.button.addEventListener('click', () => {
    askForMore(extendAt, begin).then(
      (seconds) => {
        if (seconds === undefined) return;
        endsAtMs = Date.now() + seconds * 1000;
        look();
        banner.answer(endsAtMs - Date.now() > warnMs ? words().extended : words().atEnd);
      },
      () => banner.answer(words().offline),
    );
  });
  look = () => {
    const leftMs = endsAtMs - Date.now();
    if (leftMs > warnMs) return banner.hide();
    if (leftMs > 0) return banner.warn(words().minutes[Math.min(5, Math.ceil(leftMs / 60_000)) - 1] ?? '');
    clearInterval(looking);
    banner.end(words().over);
  };
  looking = setInterval(look, lookEveryMs);
  look();
}

/**
 * Nothing when the page was replaced by one that says why there is no more time.
 * @param {string} address
 * @param {() => void} begin
 * @returns {Promise<number | undefined>}
 */
async function askForMore(address, begin) {
  const answer = await fetch(address, { method: 'POST', headers: { accept: 'application/json' } });
  const { expiresInSeconds, page } = await answer.json();
  if (typeof expiresInSeconds === 'number') return expiresInSeconds;
  showPage(page);
  begin();
  return undefined;
}

function makeBanner() {
  const box = document.createElement('div');
  box.className = 'timer';
  box.hidden = true;
  const heading = document.createElement('h2');
  heading.textContent = words().timeHeading;
  const text = document.createElement('p');
  text.setAttribute('role', 'alert');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'main';
  button.textContent = words().extend;
  const said = document.createElement('p');
  said.className = 'said';
  said.setAttribute('role', 'status');
  box.append(heading, text, button);
  document.querySelector('main')?.append(box, said);
  const show = (/** @type {string} */ what) => {
    box.hidden = false;
    if (text.textContent !== what) text.textContent = what;
  };
  return {
    button,
    warn: show,
    hide: () => {
      box.hidden = true;
    },
    answer: (/** @type {string} */ what) => {
      said.textContent = what;
    },
    end: (/** @type {string} */ what) => {
      button.remove();
      said.textContent = '';
      show(what);
    },
  };
}
