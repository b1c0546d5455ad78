/** The script of transfer pages. Without it everything works: it copies, writes times as they are here, and follows. */
import { offerCopies } from './copying.js';
import { followTransfer } from './following.js';
import { writeLocalTimes } from './times.js';

function startPage() {
  offerCopies();
  writeLocalTimes();
}

startPage();
followTransfer(startPage);
