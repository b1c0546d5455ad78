/** Shows a question only when the answer that it depends on requires it. */

export function watchConditions() {
  document.addEventListener('change', applyConditions);
}

export function applyConditions() {
  for (const field of document.querySelectorAll('[data-only-when]')) {
    if (!(field instanceof HTMLElement)) continue;
    const { onlyWhen = '', onlyValues = '' } = field.dataset;
    const controls = document.querySelectorAll(`[name="${onlyWhen}"]`);
    const checked = document.querySelector(`[name="${onlyWhen}"]:checked`);
    const value = checked instanceof HTMLInputElement ? checked.value : '';
    // If the other answer is on another page, the server has already decided that the question is required.
    field.hidden = controls.length > 0 && !onlyValues.split(' ').includes(value);
  }
}
