import { text } from 'node:stream/consumers';
import { serve } from './server.ts';

/** A stand-in that speaks OpenAI's chat completions. */
export interface StandIn {
  readonly url: string;
  /** What it was asked, the first request first. */
  readonly requests: { path: string; authorization: string; body: Record<string, unknown> }[];
  /** What it answers from now on; nothing leaves the caller waiting. */
  readonly answer: (reply: { status: number; body: unknown; location?: string } | undefined) => void;
  readonly stop: () => Promise<void>;
}

/** Starts one on a free port of this machine. */
export const startModel = async (): Promise<StandIn> => {
  const requests: StandIn['requests'] = [];
  let reply: Parameters<StandIn['answer']>[0] = { status: 200, body: {} };
  const served = await serve(async (request, response) => {
    const body = JSON.parse((await text(request)) || '{}');
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '', body });
    if (reply === undefined) return;
    const { status, location } = reply;
    response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) });
    response.end(JSON.stringify(reply.body));
  });
  return {
    url: `${served.url}/v1`,
    requests,
    answer: (next) => {
      reply = next;
    },
    stop: served.stop,
  };
};
