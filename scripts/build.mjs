// `npm run build` installs and builds, beside a running service of another folder. The next start finds it done.
import { setUp } from './setup.mjs';

setUp();
