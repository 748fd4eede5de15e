import { handleRequests } from '../../base/rpc-worker.ts';
import { WorkflowDocument, type DocumentQuestion } from './workflow-document.ts';

// The program of a worker, which serves one file.
const document = new WorkflowDocument();

handleRequests((question: DocumentQuestion) => document.answer(question));
