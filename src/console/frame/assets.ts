/** The style and the scripts of the console. */
import { PageAssets } from '../../hosted-pages/assets.js';

export const consoleAssets = new PageAssets({
  below: '/console',
  folder: new URL('../../../web/console/', import.meta.url),
  style: 'console.css',
  isFramed: false,
  scripts: ['console.js', 'keys.js', 'times.js', 'copying.js', 'viewer.js'],
  tag: 'Operators',
  operation: 'console',
});
