import { handleRequests } from '../../base/handle-requests.ts';
import { parseFile } from './parse-file.ts';

handleRequests(parseFile);
