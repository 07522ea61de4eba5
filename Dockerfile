# The local runner as a container image. compose.yml starts it with one command: docker compose up
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The lock lacks optional packages of other platforms, which "npm ci" rejects. Node itself is in the image.
COPY scripts/node/package.json ./scripts/node/
RUN npm install --no-save --ignore-scripts --no-audit --no-fund --workspaces=false
COPY . .
RUN node local/assembly/assembly.ts \
  # What only builds the admin UI and the bundles is not needed any more.
  && node -e "const p = require('./package.json'); for (const name of Object.keys(p.dependencies)) if (/^(@(mantine|tabler|fontsource-variable|tanstack|codemirror|lezer|types|opentelemetry)\/|(vite|react|react-dom|oidc-client-ts|esbuild|typescript)$)/.test(name)) delete p.dependencies[name]; require('fs').writeFileSync('package.json', JSON.stringify(p));" \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund --workspaces=false

FROM node:24.21.0-bookworm-slim
WORKDIR /app
# Not the sources of the admin UI: without them, nothing is built at the start.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/contract ./contract
COPY --from=build /app/lambdas ./lambdas
COPY --from=build /app/build ./build
COPY --from=build /app/local ./local
COPY --from=build /app/admin-ui/dist ./admin-ui/dist
COPY --from=build /app/dist ./dist
RUN install -d -o node -g node -m 0700 /data
ENV CUEVAULT_DATA=/data CUEVAULT_HOST=0.0.0.0
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=30s --interval=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health').then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "local/start.mjs"]
