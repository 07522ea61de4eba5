import { defineConfig } from 'vite';

// Whatever starts the build, such as a test: what is served is always the production build.
process.env.NODE_ENV = 'production';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'es2024',
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy allows images and fonts from the site itself alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // Packages mark their modules for React's server components, which there are none of here.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
