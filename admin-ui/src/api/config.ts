import type { SiteConfig } from '../../../contract/sign-in.ts';

/** Fetches what the instance says of itself. Throws where it is missing: the page cannot work without it. */
export const loadConfig = async (): Promise<SiteConfig> => {
  const response = await fetch('/config.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`/config.json answered with status ${response.status}.`);
  return (await response.json()) as SiteConfig;
};
