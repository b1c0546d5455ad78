/** The style and the scripts of transfer pages. */
import { PageAssets } from '../../hosted-pages/assets.js';

export const transferAssets = new PageAssets({
  below: '/transfer',
  folder: new URL('../../../web/transfer/', import.meta.url),
  style: 'transfer.css',
  scripts: ['transfer.js', 'copying.js', 'following.js', 'times.js'],
  tag: 'Orders',
  operation: 'getTransferAsset',
});
