/** The verbs of documents of orders: senders add them while they are asked for information, reviewers read them. */
import { randomBytes } from 'node:crypto';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { ChunkVault, type KeptIn } from '../../documents/chunk-vault.js';
import type { DocumentFiles } from '../../documents/document-files.js';
import type { CleanDocument } from '../../documents/inspect.js';
import { RemesaError } from '../../errors.js';
import type { MerchantId, UserId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { orderNotFound, recordOf, refOf } from '../order/operator-order.js';
import type { Order } from '../order/order.js';
import { findOrder } from '../order/store.js';
import { requireAllowed } from '../order/transition.js';
import type { OrderScope } from '../order/wire/scope.js';
import type { OrderService } from '../service.js';
import { maxOrderDocuments, type OrderDocument, type OrderDocumentPlace } from './document.js';
import * as store from './order-document-store.js';
import { checkDocument, sealDocument } from './sealed.js';

export interface OrderDocumentOptions {
  readonly users: UserService;
  readonly orders: OrderService;
  readonly files: DocumentFiles;
  /** Where new documents are stored. */
  readonly keptIn: KeptIn;
}

/** The order as the caller names it. */
export interface NamedOrder {
  readonly scope: OrderScope;
  readonly id: string;
}

/** A document that may be read, after the reading was audited. */
export interface OpenDocument {
  readonly place: OrderDocumentPlace;
  readonly document: store.StoredDocument;
  readonly key: Buffer;
}

export class OrderDocuments {
  readonly #vault: ChunkVault<OrderDocumentPlace>;

  constructor(readonly options: OrderDocumentOptions) {
    this.#vault = new ChunkVault(options.files, options.keptIn, {
      ownerOf: ({ merchantId, orderId, documentId }) => `order_document_chunks|${merchantId}|${orderId}|${documentId}`,
      addChunk: store.addChunk,
      listChunks: store.listSealedChunks,
    });
  }

  /** Asked before the file is read. Throws as `add` does. */
  async requireAsked(database: Queryable, by: By, { scope, id }: NamedOrder): Promise<Order> {
    const order = await this.options.orders.find(database, scope, id);
    requireAllowed(by, order, 'provide_information');
    return order;
  }

  /**
   * Stores a document that an answer can name. Throws `order_not_found`, `order_transition_not_allowed` when the order
   * waits for no information, `too_many_documents`, and `documents_unavailable`.
   */
  async add(
    tx: Transaction,
    by: By,
    { scope, id }: NamedOrder,
    { mediaType, bytes }: CleanDocument,
  ): Promise<OrderDocument> {
    const order = await this.options.orders.lock(tx, scope, id);
    requireAllowed(by, order, 'provide_information');
    if ((await store.listDocumentsOf(tx, order)).length >= maxOrderDocuments) throw tooMany();
    const key = await this.#key(tx, order);
    if (!key) throw new Error('the user of an open order has no retained key');
    const documentId = randomBytes(16).toString('hex');
    const place = { ...placeOf(order), documentId };
    const columns = { mediaType, bytes: bytes.length };
    const seal = sealDocument(key, place, columns);
    let stored: OrderDocument | undefined;
    await this.#vault.store(tx, {
      place,
      key,
      bytes,
      addRow: async (kept) => {
        stored = await store.addDocument(tx, place, { ...columns, ...kept, seal });
      },
    });
    if (!stored) throw new Error('the document has no row');
    await audit(tx, by, order, 'order.document_added', documentId);
    return stored;
  }

  /** The oldest first. Throws `BrokenSeal` when a row was changed. */
  async list(database: Queryable, order: Order, key: Buffer): Promise<ReadonlyMap<string, store.StoredDocument>> {
    const documents = await store.listDocumentsOf(database, order);
    for (const document of documents)
      checkDocument(key, { ...placeOf(order), documentId: document.documentId }, document);
    return new Map(documents.map((document) => [document.documentId, document]));
  }

  /** Audits the reading before the first byte is sent. Throws `order_not_found` and `order_document_not_found`. */
  async look(tx: Transaction, by: By, id: string, documentId: string): Promise<OpenDocument> {
    const order = await findOrder(tx, refOf(id));
    if (!order) throw orderNotFound();
    const key = await this.#key(tx, order);
    const document = key && (await this.list(tx, order, key)).get(documentId);
    if (!key || !document) throw documentNotFound();
    await audit(tx, by, order, 'order.document_looked_at', documentId);
    return { place: { ...placeOf(order), documentId }, document, key };
  }

  read(database: Queryable, { place, document, key }: OpenDocument): AsyncIterable<Buffer> {
    return this.#vault.read(database, place, key, document);
  }

  /** When nothing of the user is kept any more. A job removes the files. */
  forget(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
    return store.deleteDocumentsOf(tx, merchantId, userId);
  }

  #key(database: Queryable, { merchantId, userId }: Order): Promise<Buffer | undefined> {
    return this.options.users.retainedKey(database, merchantId, userId);
  }
}

function placeOf({ merchantId, orderId, userId }: Order) {
  return { merchantId, orderId, userId };
}

function audit(tx: Transaction, by: By, order: Order, action: string, documentId: string): Promise<void> {
  return recordChange(tx, by, {
    merchantId: order.merchantId,
    action,
    subject: recordOf(order),
    details: { documentId },
  });
}

function tooMany(): RemesaError {
  const message = `The order has ${maxOrderDocuments} documents already.`;
  return new RemesaError('conflict', 'too_many_documents', message, { members: { max: maxOrderDocuments } });
}

function documentNotFound(): RemesaError {
  return new RemesaError('not_found', 'order_document_not_found', 'There is no such document.');
}
