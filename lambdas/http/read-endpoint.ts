import { connectTable } from '../store/connect.ts';
import { endpointOn } from './operator-endpoint.ts';

/** The handler of an endpoint for operators that writes no signed row; otherwise like `operatorEndpoint`. */
export const readEndpoint = endpointOn(connectTable);
