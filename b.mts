import { benchProxy } from './bench/proxy.ts'; await benchProxy();
