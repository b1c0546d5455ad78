/** Shows a question only when the answer that it depends on makes it due. */

export function watchConditions() {
  document.addEventListener('change', applyConditions);
}

export function applyConditions() {
  for (const field of document.querySelectorAll('[data-only-when]')) {
    if (!(field instanceof HTMLElement)) continue;
    const { onlyWhen = '', onlyValues = '' } = field.dataset;
    const deciding = document.querySelectorAll(`[name="${onlyWhen}"]`);
    const chosen = document.querySelector(`[name="${onlyWhen}"]:checked`);
    const value = chosen instanceof HTMLInputElement ? chosen.value : '';
    // What is decided on another page is known to the server only, which asked the question all the same.
    field.hidden = deciding.length > 0 && !onlyValues.split(' ').includes(value);
  }
}
