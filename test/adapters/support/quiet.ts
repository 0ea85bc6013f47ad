// Warnings of the frameworks about scripted models are of no interest here; faults fail the tests by themselves.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
