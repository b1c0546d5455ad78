/** The pages below that of a transfer: cancel it, correct the recipient, show the pick-up code. */
import type { PageAnswer } from '../../http/page.js';
import type { OpenTransfer } from '../service.js';
import { renderPage } from './layout.js';
import { addressOf, type PageContext } from './page-context.js';
import { RecipientFields, type RecipientForm, recipientFaults } from './recipient-fields.js';

interface SmallPage {
  readonly transfer: OpenTransfer;
  readonly token: string;
}

export function cancelPage(context: PageContext, { transfer, token }: SmallPage): PageAnswer {
  const { cancel } = context.texts.transfer;
  const { view } = transfer;
  const isPaid = view.amountReceived > 0;
  return renderPage(context, {
    title: cancel.title,
    children: (
      <>
        <h1>{cancel.title}</h1>
        <p class="intro">{isPaid ? cancel.paid : cancel.unpaid}</p>
        {view.cancellable === 'on_request' ? <p>{cancel.onRequest}</p> : null}
        <form method="post" action={addressOf(context, `${token}/cancel`)}>
          <div class="actions both">
            <button type="submit" class="main danger">
              {cancel.confirm}
            </button>
            <a class="other" href={addressOf(context, token)}>
              {cancel.keep}
            </a>
          </div>
        </form>
      </>
    ),
  });
}

interface RecipientPage extends SmallPage {
  readonly form: RecipientForm;
}

export function recipientPage(context: PageContext, { transfer, token, form }: RecipientPage): PageAnswer {
  const { texts } = context;
  const { correct, back, details } = texts.transfer;
  const { account, country } = transfer.order.payee;
  const faults = recipientFaults(form, texts);
  return renderPage(context, {
    title: correct.title,
    status: faults.length > 0 ? 422 : 200,
    faults,
    children: (
      <>
        <a class="back" href={addressOf(context, token)}>
          {back}
        </a>
        <h1>{correct.title}</h1>
        <p class="intro">
          {correct.text} {correct.keep}
        </p>
        <p class="note">
          {details.to}: <bdi dir="ltr">{account ?? ''}</bdi> {texts.country(country)}
        </p>
        <form method="post" action={addressOf(context, `${token}/recipient`)}>
          <RecipientFields form={form} texts={texts} />
          <div class="actions">
            <button type="submit" class="main">
              {correct.save}
            </button>
          </div>
        </form>
      </>
    ),
  });
}

export function codePage(context: PageContext, token: string, code: string | undefined): PageAnswer {
  const { collect } = context.texts.transfer;
  return renderPage(context, {
    title: collect.heading,
    children: (
      <>
        <h1>{collect.heading}</h1>
        {code === undefined ? (
          <p class="intro">{collect.notYet}</p>
        ) : (
          <>
            <p class="pickup code" dir="ltr">
              {code}
            </p>
            <p class="note attention">{collect.text}</p>
          </>
        )}
        <div class="actions">
          <a class="main" href={addressOf(context, token)}>
            {collect.hide}
          </a>
        </div>
      </>
    ),
  });
}
