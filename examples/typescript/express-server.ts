// An Express handler that returns a Cuevault prompt. Needs CUEVAULT_URL and CUEVAULT_API_KEY.
import { Cuevault, CuevaultError, NotFoundError } from 'cuevault';
import express from 'express';

// One client for the whole process: it has the cache.
const cuevault = new Cuevault({ label: 'production', strict: true });
const app = express();

app.get('/greeting/:user', async (request, response) => {
  const prompt = await cuevault.prompts.get('greeting', {
    variables: { user: request.params.user },
    fallback: 'Hello {{user}}!',
  });
  response
    .set('x-prompt-version', prompt.version ?? prompt.source)
    .type('text')
    .send(prompt.compiledPrompt);
});

app.get('/prompts/:name', async (request, response) => {
  const { name, version, tags } = await cuevault.prompts.get(request.params.name, { version: 'latest' });
  response.json({ name, version, tags });
});

app.use(((error, _request, response, next) => {
  if (!(error instanceof CuevaultError)) return next(error);
  const status = error instanceof NotFoundError ? 404 : 503;
  response.status(status).json({ error: error.message, code: error.code });
}) satisfies express.ErrorRequestHandler);

const server = app.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : address;
  process.stdout.write(`Listening at http://127.0.0.1:${port}\n`);
});
