// A file of its own: the program of a worker thread.
import { handleRequests } from '../../base/rpc-worker.ts';
import { WorkflowDocument, type DocumentQuestion } from './workflow-document.ts';

const document = new WorkflowDocument();

handleRequests((question: DocumentQuestion) => document.answer(question));
