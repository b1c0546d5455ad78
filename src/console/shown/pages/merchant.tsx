/** A merchant at a glance: its secrets, its urls and whether they answer, its newest orders. */
import { formAddress } from '../../screens/finding.js';
import { isObject, rows } from '../../screens/schema.js';
import { List } from '../list.js';
import { SmallTable, State, Time } from '../value.js';
import type { PageProps, Row } from './page.js';

export const merchantFields = ['clientId', 'name', 'status', 'createdAt'] as const;

export function MerchantPage({ value, parts, routes }: PageProps) {
  const clientId = String(value.clientId);
  const orders = routes.find(({ operationId }) => operationId === 'searchOrders');
  return (
    <>
      <p class="facts">
        <strong class="person">
          <bdi>{String(value.name)}</bdi>
        </strong>{' '}
        since <Time at={String(value.createdAt)} />
      </p>
      {value.status === 'suspended' ? (
        <p class="notice bad">Suspended: it can do nothing new. What is paid goes on.</p>
      ) : null}
      <div class="cards">
        <Secrets secrets={isObject(parts.secrets) ? rows(parts.secrets.secrets) : []} />
        <Webhooks webhooks={rows(parts.webhooks)} clientId={clientId} />
      </div>
      <section class="part">
        <h2>Newest orders</h2>
        {orders ? <List routes={routes} route={orders} rows={rows(parts.orders)} params={{}} /> : null}
        <p class="next">
          <a href={`/console/orders?${new URLSearchParams({ merchant: clientId })}`}>All its orders</a>
        </p>
      </section>
    </>
  );
}

function Secrets({ secrets }: { readonly secrets: readonly Row[] }) {
  // A restricted secret does not take the place of a full one.
  const full = secrets.filter(({ scopes }) => scopes === undefined);
  return (
    <section class="card">
      <h2>Client secrets</h2>
      {secrets.length === 0 ? (
        <p class="none">No secret: it can do nothing.</p>
      ) : (
        <SmallTable items={secrets} schema={{ title: 'Client secrets' }} />
      )}
      {full.length > 1 ? (
        <p class="hint">Two without scopes are valid: end the older of them when nobody uses it any more.</p>
      ) : null}
    </section>
  );
}

function Webhooks({ webhooks, clientId }: { readonly webhooks: readonly Row[]; readonly clientId: string }) {
  return (
    <section class="card">
      <h2>Webhooks</h2>
      {webhooks.length === 0 ? (
        <p class="none">No url is registered: the merchant learns of nothing unless it asks.</p>
      ) : (
        webhooks.map((webhook) => (
          <dl key={String(webhook.channel)} class="rows">
            <div>
              <dt>
                <a href={`/console/webhooks/${encodeURIComponent(clientId)}/${String(webhook.channel)}/events`}>
                  {String(webhook.channel)}
                </a>
              </dt>
              <dd>
                <State state={String(webhook.status)} /> <bdi>{String(webhook.url)}</bdi>
              </dd>
            </div>
            <div>
              <dt>Waiting</dt>
              <dd>
                {String(webhook.pending)} {webhook.pending === 1 ? 'event' : 'events'}
                {webhook.failingSince ? (
                  <>
                    , failing since <Time at={String(webhook.failingSince)} />
                  </>
                ) : null}
                {webhook.lastSuccessAt ? (
                  <>
                    , last success <Time at={String(webhook.lastSuccessAt)} />
                  </>
                ) : null}
                {webhook.status === 'disabled' ? (
                  <>
                    {' '}
                    <a
                      class="button small"
                      href={formAddress({ operationId: 'enableWebhook' }, { clientId, channel: webhook.channel })}
                    >
                      Enable
                    </a>
                  </>
                ) : null}
              </dd>
            </div>
          </dl>
        ))
      )}
    </section>
  );
}
