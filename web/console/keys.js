/** @type {ReadonlyMap<string, string>} */
const places = new Map([
  ['w', '/console'],
  ['a', '/console/approvals'],
  ['o', '/console/orders'],
  ['s', '/console/suspense'],
  ['p', '/console/payouts'],
  ['k', '/console/kyc'],
]);
/** A letter after `g` counts for so long. */
const waitMs = 1200;
let goSince = Number.NEGATIVE_INFINITY;

/** @typedef {(event: KeyboardEvent) => void} Act */
/** @type {ReadonlyMap<string, Act>} */
const acts = new Map(
  /** @type {[string, Act][]} */ ([
    ['/', search],
    ['?', showKeys],
    ['j', () => move(1)],
    ['k', () => move(-1)],
    [
      'g',
      (event) => {
        goSince = event.timeStamp;
      },
    ],
  ]),
);

/** No key decides anything: keys move, search and show help. */
export function listenToKeys() {
  addEventListener('keydown', (event) => {
    const withCommand = event.ctrlKey || event.metaKey;
    if (withCommand && event.key === 'k') {
      event.preventDefault();
      search();
    }
    if (withCommand || event.altKey || isTyping(event.target)) return;
    const place = event.timeStamp - goSince < waitMs ? places.get(event.key) : undefined;
    if (place !== undefined) {
      location.assign(place);
      return;
    }
    const act = acts.get(event.key);
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}

function search() {
  const box = document.querySelector('#search');
  if (box instanceof HTMLInputElement) box.select();
}

function showKeys() {
  const dialog = document.querySelector('#keys');
  if (dialog instanceof HTMLDialogElement) dialog.showModal();
}

/**
 * Moves the focus to the link of the next or previous row.
 * @param {number} step
 */
function move(step) {
  const links = [...document.querySelectorAll('[data-row]')].flatMap((row) => row.querySelector('a') ?? []);
  const now = links.findIndex((link) => link.closest('[data-row]')?.contains(document.activeElement));
  links[Math.min(Math.max(now + step, 0), links.length - 1)]?.focus();
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog[open]') !== null;
}
