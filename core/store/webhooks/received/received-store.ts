import type { ReceivedStore } from '../../../webhooks/receiving/ports.ts';
import type { Database } from '../../database/database.ts';
import { depthOfEvent } from './depth.ts';
import { saveDeliveries } from './save-deliveries.ts';
import { findReceived, listReceived, readBody } from './list-received.ts';
import { purgeReceived } from './purge-received.ts';
import {
  createReceiver,
  deleteReceiver,
  findReceiver,
  listReceivers,
  receiverVersion,
  updateReceiver,
} from './receivers.ts';
import { listDueStarts, settle } from './starts.ts';

/** Creates the store of incoming webhooks on an open connection. */
export const createReceivedStore = (database: Database): ReceivedStore => ({
  listReceivers: () => listReceivers(database),
  findReceiver: (id) => findReceiver(database, id),
  receiverVersion: () => receiverVersion(database),
  createReceiver: (id, settings, at) => createReceiver(database, id, settings, at),
  updateReceiver: (id, settings, at) => updateReceiver(database, id, settings, at),
  deleteReceiver: (id) => deleteReceiver(database, id),
  keep: (requests) => saveDeliveries(database, requests),
  listReceived: (filter) => listReceived(database, filter),
  findReceived: (key) => findReceived(database, key),
  readBody: (key) => readBody(database, key),
  listDueStarts: (options) => listDueStarts(database, options),
  settle: (starts) => settle(database, starts),
  depthOfEvent: (guid) => depthOfEvent(database, guid),
  purge: (at, limit) => purgeReceived(database, at, limit),
});
