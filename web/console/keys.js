const places = {
  w: '/console',
  a: '/console/approvals',
  o: '/console/orders',
  s: '/console/suspense',
  p: '/console/payouts',
  k: '/console/kyc',
};
/** A letter after `g` counts for so long. */
const waitMs = 1200;
let goSince = 0;

/** No key decides anything: keys move, search and show help. */
export function listenToKeys() {
  addEventListener('keydown', (event) => {
    if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      search();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.timeStamp - goSince < waitMs && places[event.key]) {
      goSince = 0;
      location.assign(places[event.key]);
      return;
    }
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}

const actions = {
  '/': search,
  '?': () => document.querySelector('#keys')?.showModal(),
  j: () => move(1),
  k: () => move(-1),
  g: (event) => {
    goSince = event.timeStamp;
  },
};

function search() {
  const box = document.querySelector('#search');
  box?.focus();
  box?.select();
}

/** Moves the focus to the link of the next or previous row. */
function move(step) {
  const links = [...document.querySelectorAll('[data-row]')].flatMap((row) => row.querySelector('a') ?? []);
  const now = links.findIndex((link) => link.closest('[data-row]')?.contains(document.activeElement));
  links[Math.min(Math.max(now + step, 0), links.length - 1)]?.focus();
}

function isTyping(target) {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog[open]') !== null;
}
