const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cuevault</title>
<style>
  body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 10vh auto; padding: 0 1.25rem; }
  h1 { font-weight: 600; letter-spacing: -0.02em; margin-bottom: 0.25rem; }
  code { font: 0.9em/1.5 ui-monospace, monospace; }
  pre { padding: 1rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 8px; overflow-x: auto; }
</style>
</head>
<body>
<main>
<h1>Cuevault is running</h1>
<p>Applications fetch prompts and secrets here with an API key. The key of this instance, and the address, are in
<code>first-run.json</code> in its data folder.</p>
<pre><code>POST /api/prompt/get-compiled   {"name": "greeting"}
POST /api/vault/get-secrets     {}
GET  /health</code></pre>
<p>Both calls need the header <code>Authorization: Bearer &lt;API key&gt;</code>. The reference is
<code>docs/openapi.json</code>.</p>
<p>The admin site has not been built: <code>npm run assemble</code> builds it.</p>
</main>
</body>
</html>
`;

/** The page at `/` where the admin site has not been built: where the API is. */
export const HOME = {
  page,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  },
} as const;
