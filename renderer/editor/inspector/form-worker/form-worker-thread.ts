import { handleRequests } from '../../../workers/handle-requests.ts';
import { FormReader, type FormWorkerTask } from './form-worker.ts';

const desk = new FormReader();

handleRequests((task: FormWorkerTask) => desk.work(task));
