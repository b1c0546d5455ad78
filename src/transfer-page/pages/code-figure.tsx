/** The code to pay with, below the numbers that it contains. */

import type { Order } from '../../orders/order/order.js';
import { missingOf } from '../../orders/order/payable.js';
import { paymentCodeOf } from '../codes/payment-code.js';
import type { TransferTexts } from './texts/transfer-texts.js';

interface CodeFigureProps {
  readonly order: Order;
  readonly texts: TransferTexts;
}

export function CodeFigure({ order, texts }: CodeFigureProps) {
  const { payinAccount: account, payinReference: reference } = order;
  const code = paymentCodeOf({ account, amount: missingOf(order), reference });
  if (!code) return null;
  const { pay } = texts.transfer;
  return (
    <figure class="code-figure">
      {/* Not escaped: shapes that were drawn for this page. */}
      <div
        class="picture-of-code"
        role="img"
        aria-label={pay.scan}
        dangerouslySetInnerHTML={{ __html: code.picture }}
      />
      <figcaption>
        <strong>{pay.scan}</strong>
        <span class="hint">{pay.scanHint}</span>
        {code.link ? <a href={code.link}>{pay.onThisPhone}</a> : null}
        {code.text ? (
          <button type="button" class="copy" data-copy={code.text} hidden>
            {pay.copy}
          </button>
        ) : null}
      </figcaption>
    </figure>
  );
}
