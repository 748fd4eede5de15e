import { handleRequests } from '../../base/handle-requests.ts';
import { FormReader, type FormWorkerTask } from './form-worker.ts';

const reader = new FormReader();

handleRequests((task: FormWorkerTask) => reader.work(task));
