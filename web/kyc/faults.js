/** The fault of one question, shown in the place and the way in which the server shows it. */

/**
 * @param {HTMLElement} field The element around the question.
 * @param {string | undefined} text Nothing takes the fault away.
 */
export function showFault(field, text) {
  const id = `${field.dataset.question}-fault`;
  document.getElementById(id)?.remove();
  field.classList.toggle('faulty', text !== undefined);
  describe(field, id, text !== undefined);
  if (text === undefined) return;
  const fault = document.createElement('p');
  fault.className = 'fault';
  fault.id = id;
  fault.setAttribute('role', 'alert');
  fault.textContent = text;
  const before = [...field.children].find((child) =>
    child.matches('input, select, textarea, div:not(.reason)'),
  );
  field.insertBefore(fault, before ?? null);
}

/**
 * For those who hear the page: which words belong to a field, and that it is not right.
 * @param {HTMLElement} field
 * @param {string} id Of the fault.
 * @param {boolean} isFaulty
 */
function describe(field, id, isFaulty) {
  const controls = controlsOf(field);
  for (const element of field.matches('fieldset') ? [field, ...controls] : controls) {
    const ids = new Set((element.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean));
    ids.delete(id);
    if (isFaulty) ids.add(id);
    setOrRemove(element, 'aria-describedby', [...ids].join(' '));
  }
  // A radio button can't be wrong by itself.
  for (const control of controls.filter((one) => one.type !== 'radio')) {
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
