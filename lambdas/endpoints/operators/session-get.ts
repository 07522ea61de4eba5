import { sessionGet } from '../../../contract/endpoints/operators/session-get.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';

export const handler = readEndpoint(sessionGet, async ({ operator: { operatorId, email, group } }) => ({
  operatorId,
  email,
  group,
}));
