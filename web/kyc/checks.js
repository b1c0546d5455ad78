/** Looks at a field when it is left: only what is plainly wrong, everything else is for the server to judge. */
import { controlsOf, showFault } from './faults.js';

/** A fault that appears under the finger would move the button away from it. */
const afterTheClickMs = 200;

export function checkWhatIsLeft() {
  document.addEventListener('input', (event) => {
    const field = fieldOf(event.target);
    if (field) field.dataset.touched = '';
  });
  document.addEventListener('focusout', (event) => {
    const field = fieldOf(event.target);
    // Whoever only passes by has not left anything out yet.
    if (!field || (!('touched' in field.dataset) && !field.classList.contains('faulty'))) return;
    if (event.relatedTarget instanceof Node && field.contains(event.relatedTarget)) return;
    setTimeout(() => {
      if (field.isConnected && !document.querySelector('[data-busy]')) showFault(field, faultOf(field));
    }, afterTheClickMs);
  });
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
function fieldOf(target) {
  return target instanceof Element ? target.closest('[data-faults]') : null;
}

/**
 * @param {HTMLElement} field
 * @returns {string | undefined}
 */
function faultOf(field) {
  /** @type {{ required?: string, tooLong?: string, maxLength?: number, notADate?: string, wrongFormat?: string, format?: string }} */
  const faults = JSON.parse(field.dataset.faults ?? '{}');
  const values = controlsOf(field)
    .filter((control) => control.type !== 'radio' || control.checked)
    .map((control) => control.value.trim());
  if (values.every((value) => value === '')) return faults.required;
  if (faults.notADate) return isDate(field) ? undefined : faults.notADate;
  const [value = ''] = values;
  if (faults.maxLength !== undefined && [...value].length > faults.maxLength) return faults.tooLong;
  return faults.wrongFormat && !hasFormat(value, faults.format) ? faults.wrongFormat : undefined;
}

/** @param {HTMLElement} field */
function isDate(field) {
  const [day = 0, month = 0, year = 0] = ['day', 'month', 'year'].map((box) => {
    const control = field.querySelector(`.${box} input`);
    return control instanceof HTMLInputElement ? Number(plainDigits(control.value.trim()) || 'none') : 0;
  });
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * @param {string} value
 * @param {string | undefined} format
 */
function hasFormat(value, format) {
  const plain = plainDigits(value);
  if (format === 'phone') return /^(\+|00)[1-9]\d{6,14}$/.test(plain.replaceAll(/[\s().-]/g, ''));
  return /^\d{4}$/.test(plain);
}

/** Keyboards of Arabic and Persian write other digits. @param {string} text */
function plainDigits(text) {
  return text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}
