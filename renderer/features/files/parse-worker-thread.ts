// A file of its own: the program of a worker.
import { handleRequests } from '../../base/rpc-worker.ts';
import { parseFile } from './parse-file.ts';

handleRequests(parseFile);
