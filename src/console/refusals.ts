/** What the console itself refuses. */
import { RemesaError } from '../errors.js';

export function formRefused(): RemesaError {
  const message = 'The form did not come from a page of this console in which you are signed in. Nothing was done.';
  return new RemesaError('forbidden', 'form_refused', message);
}

export function pageNotFound(): RemesaError {
  return new RemesaError('not_found', 'page_not_found', 'There is no such command.');
}
