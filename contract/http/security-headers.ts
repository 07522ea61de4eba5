/** Path of the files whose names contain a digest of their content. */
export const HASHED_ASSETS = '/assets/';

/** `cache-control` of the admin site: hashed files for a year, everything else, such as `index.html`, never. */
export const CACHE_CONTROL = {
  hashed: 'public, max-age=31536000, immutable',
  other: 'no-store',
} as const;

/**
 * The content security policy of the admin site; `connectTo` lists the other origins that it may call. Styles may be
 * inline because the component library sets them that way; scripts may not.
 */
export const contentSecurityPolicy = (connectTo: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    ['connect-src', "'self'", ...connectTo].join(' '),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Further headers of every reply of the admin site, on AWS and locally. Browsers honor the first only over HTTPS. */
export const SECURITY_HEADERS = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** The header with the secret that shows that a call of the admin API came through the admin site. */
export const ORIGIN_SECRET = 'cuevault-origin-secret';

/** The end of a path that names a file of the site. Any other path is a screen, such as `/prompts/x/versions/1.2.0`. */
export const FILE_ENDING = /\.[A-Za-z][A-Za-z0-9]*$/;
