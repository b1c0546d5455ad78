/** Shows the fault of a question with the same markup as the server. */

/**
 * @param {HTMLElement} field The element that contains the question.
 * @param {string | undefined} text Undefined removes the fault.
 */
export function showFault(field, text) {
  const id = `${field.dataset.question}-fault`;
  document.getElementById(id)?.remove();
  field.classList.toggle('faulty', text !== undefined);
  setAccessibility(field, id, text !== undefined);
  if (text === undefined) return;
  const fault = document.createElement('p');
  fault.className = 'fault';
  fault.id = id;
  fault.setAttribute('role', 'alert');
  fault.textContent = text;
  const firstControl = [...field.children].find((child) => child.matches('input, select, textarea, div:not(.reason)'));
  field.insertBefore(fault, firstControl ?? null);
}

/**
 * Tells screen readers which text describes the field and whether its value is invalid.
 * @param {HTMLElement} field
 * @param {string} id The id of the fault's element.
 * @param {boolean} isFaulty
 */
function setAccessibility(field, id, isFaulty) {
  const controls = controlsOf(field);
  for (const element of field.matches('fieldset') ? [field, ...controls] : controls) {
    const ids = new Set((element.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean));
    ids.delete(id);
    if (isFaulty) ids.add(id);
    setOrRemove(element, 'aria-describedby', [...ids].join(' '));
  }
  // A single radio button cannot be invalid.
  for (const control of controls.filter(({ type }) => type !== 'radio')) {
    setOrRemove(control, 'aria-invalid', isFaulty ? 'true' : '');
  }
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
function setOrRemove(element, name, value) {
  if (value === '') element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** @param {HTMLElement} field */
export function controlsOf(field) {
  return /** @type {HTMLInputElement[]} */ ([...field.querySelectorAll('input, select, textarea')]);
}
