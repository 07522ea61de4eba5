import { connectSigningTable } from '../store/signing/kms.ts';
import { endpointOn } from './operator-endpoint.ts';

/** The handler of an endpoint for operators that writes signed rows; otherwise like `operatorEndpoint`. */
export const changeEndpoint = endpointOn(connectSigningTable);
