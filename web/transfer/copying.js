/** Shows the buttons that copy a value, and says when it was copied. */
const saidForMs = 2000;

export function offerCopies() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll('button[data-copy]')) {
    if (!(button instanceof HTMLButtonElement) || !button.hidden) continue;
    button.hidden = false;
    button.addEventListener('click', () => copy(button));
  }
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy ?? '');
  const label = button.textContent;
  button.textContent = document.body.dataset.copied ?? '';
  announce(button.textContent);
  setTimeout(() => {
    button.textContent = label;
  }, saidForMs);
}

/**
 * Screen readers read it at once.
 * @param {string} text
 */
export function announce(text) {
  const known = document.querySelector('[data-announcement]');
  const place = known ?? document.createElement('p');
  if (!known) {
    place.setAttribute('data-announcement', '');
    place.setAttribute('role', 'status');
    place.className = 'aside';
    document.body.append(place);
  }
  place.textContent = text;
}
