/** The fault of one question, shown in the place and the way in which the server shows it. */

/**
 * @param {HTMLElement} field The element around the question.
 * @param {string | undefined} text Nothing takes the fault away.
 */
export function showFault(field, text) {
  const id = `${field.dataset.question}-fault`;
  document.getElementById(id)?.remove();
  field.classList.toggle('faulty', text !== undefined);
  const described = field.matches('fieldset') ? [field, ...controlsOf(field)] : controlsOf(field);
  for (const element of described) {
    const others = (element.getAttribute('aria-describedby') ?? '').split(' ').filter((each) => each && each !== id);
    const ids = text === undefined ? others : [...others, id];
    if (ids.length > 0) element.setAttribute('aria-describedby', ids.join(' '));
    else element.removeAttribute('aria-describedby');
  }
  for (const control of controlsOf(field)) {
    if (control.matches('[type=radio]')) continue;
    if (text === undefined) control.removeAttribute('aria-invalid');
    else control.setAttribute('aria-invalid', 'true');
  }
  if (text === undefined) return;
  const fault = document.createElement('p');
  fault.className = 'fault';
  fault.id = id;
  fault.setAttribute('role', 'alert');
  fault.textContent = text;
  const before = [...field.children].find((child) => child.matches('input, select, textarea, div'));
  field.insertBefore(fault, before ?? null);
}

/** @param {HTMLElement} field */
export function controlsOf(field) {
  return /** @type {HTMLInputElement[]} */ ([...field.querySelectorAll('input, select, textarea')]);
}
