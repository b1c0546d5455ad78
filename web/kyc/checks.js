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
  /** @type {{ required?: string, tooLong?: string, maxLength?: number, date?: DateFaults, wrongFormat?: string, format?: string }} */
  const faults = JSON.parse(field.dataset.faults ?? '{}');
  const values = controlsOf(field)
    .filter((control) => control.type !== 'radio' || control.checked)
    .map((control) => control.value.trim());
  if (values.every((value) => value === '')) return faults.required;
  if (faults.date) return dateFault(field, faults.date);
  const [value = ''] = values;
  if (faults.maxLength !== undefined && [...value].length > faults.maxLength) return faults.tooLong;
  return faults.wrongFormat && !hasFormat(value, faults.format) ? faults.wrongFormat : undefined;
}

/** @typedef {{ incomplete: string, digits: string, year: string, month: string, day: string }} DateFaults */

/**
 * The same order and the same words as the server's.
 * @param {HTMLElement} field
 * @param {DateFaults} texts
 * @returns {string | undefined}
 */
function dateFault(field, texts) {
  const [day = '', month = '', year = ''] = ['day', 'month', 'year'].map((box) => {
    const control = field.querySelector(`.${box} input`);
    return control instanceof HTMLInputElement ? plainDigits(control.value.trim()) : '';
  });
  if ([day, month, year].includes('')) return texts.incomplete;
  if (!/^\d+$/.test(day + month + year)) return texts.digits;
  if (year.length !== 4) return texts.year;
  if (Number(month) < 1 || Number(month) > 12) return texts.month;
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return Number(day) < 1 || Number(day) > days ? texts.day.replace('#', String(days)) : undefined;
}

/**
 * @param {string} value
 * @param {string | undefined} format
 */
function hasFormat(value, format) {
  const plain = plainDigits(value);
  // Without the country code; what else may be wrong with a number, the server says.
  if (format === 'phone') return /^(\+|00)/.test(plain.replaceAll(/[\s().-]/g, ''));
  return /^\d{4}$/.test(plain);
}

/** Keyboards of Arabic and Persian write other digits. @param {string} text */
function plainDigits(text) {
  return text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}
