// A file of its own: the program of a worker.
import { handleRequests } from '../../base/rpc-worker.ts';
import { FormReader, type FormWorkerTask } from './form-worker.ts';

const reader = new FormReader();

handleRequests((task: FormWorkerTask) => reader.work(task));
