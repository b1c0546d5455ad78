/** Checks a field when the user leaves it. It reports obvious faults only; the server checks everything. */
import { controlsOf, showFault } from './faults.js';

/** A fault that appears at once would move the button away from under the user's finger. */
const showFaultAfterMs = 200;

export function checkFieldsOnLeave() {
  document.addEventListener('input', (event) => {
    const field = fieldOf(event.target);
    if (field) field.dataset.touched = '';
  });
  document.addEventListener('focusout', (event) => {
    const field = fieldOf(event.target);
    // A field that the user only tabbed through is not checked yet.
    if (!field || (!('touched' in field.dataset) && !field.classList.contains('faulty'))) return;
    if (event.relatedTarget instanceof Node && field.contains(event.relatedTarget)) return;
    setTimeout(() => {
      if (field.isConnected && !document.querySelector('[data-busy]')) showFault(field, faultOf(field));
    }, showFaultAfterMs);
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
 * Reports faults in the same order and with the same texts as the server.
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
  // Only a missing country code is reported here. The server reports all other faults of a number.
  if (format === 'phone') return /^(\+|00)/.test(plain.replaceAll(/[\s().-]/g, ''));
  return /^\d{4}$/.test(plain);
}

/** Converts Arabic and Persian digits. @param {string} text */
function plainDigits(text) {
  return text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}
