/* The stand-in for the framework is a header alone. */
typedef int unity_stand_in;
