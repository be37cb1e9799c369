/** Setup of every worker: the library finds the core in the package. */
import '../host/files/coreFile.js';
