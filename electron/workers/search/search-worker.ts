import { isMainThread } from 'node:worker_threads';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';
import { doSearchTask, searchRole, type SearchTask } from './search-work.ts';

// Its owner is this app alone; what it is asked is typed there.
if (!isMainThread && isInRole(searchRole.role)) serveThread(async (message) => doSearchTask(message as SearchTask));
