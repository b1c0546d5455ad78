/** The style and the scripts of the form. */
import { PageAssets } from '../../../hosted-pages/assets.js';

export const formAssets = new PageAssets({
  below: '/kyc',
  folder: new URL('../../../../web/kyc/', import.meta.url),
  style: 'form.css',
  scripts: [
    'form.js',
    'checks.js',
    'conditions.js',
    'faults.js',
    'languages.js',
    'page.js',
    'pictures.js',
    'submit.js',
    'time-limit.js',
    'uploads.js',
  ],
  tag: 'KYC',
  operation: 'getKycAsset',
});
